package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.serve.api.ApiResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is told of logs, exec and the like by a server that asks no agents. */
class AgentCallsTest {

  private final ServerFixture fixture = new ServerFixture();
  private final Client client = fixture.client;

  @BeforeEach
  void makePods() {
    for (String pod : new String[] {"waiting", "placed"}) {
      String node = pod.equals("placed") ? "\"nodeName\":\"n\"," : "";
      assertThat(
              client
                  .post(
                      "/api/v1/namespaces/default/pods",
                      """
                      {"metadata":{"name":"%s"},"spec":{%s
                       "initContainers":[{"name":"i","image":"x"}],
                       "containers":[{"name":"a","image":"x"},{"name":"b","image":"x"}]}}
                      """
                          .formatted(pod, node))
                  .status())
          .isEqualTo(201);
    }
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          namespaces/default/pods/none/log         | 404 | pods "none" not found
          namespaces/default/pods/none/exec        | 404 | pods "none" not found
          namespaces/default/pods/none/portforward | 404 | pods "none" not found
          nodes/none/proxy/                        | 404 | nodes "none" not found
          namespaces/default/services/none/proxy/  | 404 | services "none" not found
          namespaces/default/pods/waiting/log      | 400 | a container name must be specified for pod waiting, choose one of: [a b]
          namespaces/default/pods/waiting/log?container=c | 400 | container c is not valid for pod waiting
          namespaces/default/pods/waiting/log?container=a&tailLines=-1 | 422 | PodLogOptions "waiting" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0
          namespaces/default/pods/none/log?limitBytes=0 | 422 | PodLogOptions "none" is invalid: limitBytes: Invalid value: 0: must be greater than 0
          namespaces/default/pods/none/log?sinceSeconds=1&sinceTime=2020-01-01T00:00:00Z | 422 | PodLogOptions "none" is invalid: []: Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified
          namespaces/default/pods/waiting/exec?command=a | 400 | pod waiting does not have a host assigned
          namespaces/default/pods/waiting/proxy    | 400 | address not allowed
          namespaces/default/pods/placed/log?container=i | 501 | pods/log is not served by this version of Evenkeel, which asks no agents of nodes: ask the node itself
          namespaces/default/pods/placed/nope      | 404 | the server could not find the requested resource
          """)
  void whatNeedsNoAgent_isTold_andTheRestIsNotServed(String path, int status, String message) {
    Client.Answer answer = client.get("/api/v1/" + path);
    assertThat(answer.status()).as("%s", answer).isEqualTo(status);
    assertThat(answer.text("message")).isEqualTo(message);
  }

  @ParameterizedTest
  @CsvSource({"a", "b", "i"})
  void podWithoutANode_hasNoLogYet(String container) {
    ApiResponse answer =
        client.raw(
            "GET",
            "/api/v1/namespaces/default/pods/waiting/log?container=" + container,
            Map.of(),
            new byte[0]);
    assertThat(answer.status()).isEqualTo(204);
  }
}
