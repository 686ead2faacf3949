import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;

/**
 * Starts one OpenSearch node in this JVM from a laid-out home (lib/, modules/, plugins/) and a
 * config folder holding opensearch.yml. It goes straight to {@link Node}, so modules and plugins
 * load exactly as in a normal installation (one class loader each, descriptor and jar checks),
 * but the bootstrap checks, the refusal to run as root and the security policy do not apply.
 */
public final class LocalNode {

    public static void main(String[] args) throws InterruptedException {
        if (args.length < 3 || args.length > 4) {
            System.err.println("usage: LocalNode HOME CONFIG_DIR PID_FILE [PID_TO_END_WITH]");
            System.exit(2);
        }
        // As in a normal installation: an Error that nothing caught ends the process. Without this
        // a missing native library, say, would leave requests unanswered for ever.
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> {
            System.err.println("uncaught in thread [" + thread.getName() + "]");
            if (thrown instanceof Error) {
                die("fatal error, the node ends: " + thrown, thrown);
            }
            thrown.printStackTrace();
        });
        try {
            Files.writeString(Path.of(args[2]), Long.toString(ProcessHandle.current().pid()));
            if (args.length == 4) {
                endWith(Long.parseLong(args[3]));
            }
            start(Path.of(args[0]), Path.of(args[1]));
        } catch (Throwable t) {
            die("the node could not start: " + t, t);
        }
        new CountDownLatch(1).await();
    }

    private static void start(Path home, Path config) throws Exception {
        Settings settings = Settings.builder().put("path.home", home.toString()).build();
        Environment environment =
            InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), config, () -> "local");
        Node node = new Node(environment);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                node.close();
            } catch (IOException e) {
                e.printStackTrace();
            }
        }, "node-shutdown"));
        node.start();
    }

    /** Ends this process, in order, as soon as that one has ended. */
    private static void endWith(long pid) {
        Runnable end = () -> System.exit(0);
        ProcessHandle.of(pid).ifPresentOrElse(process -> process.onExit().thenRun(end), end);
    }

    private static void die(String why, Throwable cause) {
        cause.printStackTrace();
        System.err.println(why);
        System.err.flush();
        Runtime.getRuntime().halt(1);
    }
}
