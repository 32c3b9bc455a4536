import java.nio.file.Path;
import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.configuration.connectors.BoltConnector;
import org.neo4j.configuration.connectors.HttpConnector;
import org.neo4j.configuration.helpers.SocketAddress;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;

/** Neo4j on a folder, at a Bolt port of this machine: java -cp 'jars/*' Neo4jServer.java folder port [login] */
public class Neo4jServer {
  public static void main(String[] arguments) throws Exception {
    var server = new DatabaseManagementServiceBuilder(Path.of(arguments[0]))
        .setConfig(BoltConnector.enabled, true)
        .setConfig(BoltConnector.listen_address, new SocketAddress("127.0.0.1", Integer.parseInt(arguments[1])))
        .setConfig(HttpConnector.enabled, false)
        .setConfig(GraphDatabaseSettings.auth_enabled, arguments.length > 2)
        .build();
    System.out.println("ready");
    // The end of the input is the end of whoever started it.
    while (System.in.read() >= 0) {}
    server.shutdown();
  }
}
