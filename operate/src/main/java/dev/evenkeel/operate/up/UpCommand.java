package dev.evenkeel.operate.up;

import java.util.Stack;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * {@link Up} on the command line, with its help: what each option says of itself. What an option
 * means is read by {@link UpValues}; see {@link UpSettings#plain} for how most starts get round the
 * parser.
 */
public final class UpCommand implements Callable<Integer> {

  private final UpValues values = new UpValues();
  private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this).name("up");

  public UpCommand() {
    spec.usageMessage()
        .description(
            "Start an API server on this machine, and stay until Ctrl-C or SIGTERM.",
            "The first start makes its certificates and a kubeconfig for kubectl.");
    option(
        "--store",
        "STORE",
        "What holds the state: embedded (default), memory, or etcd://HOST:PORT,…");
    option(
        "--listen",
        "HOST:PORT",
        "Where to listen (default " + UpSettings.LISTEN_DEFAULT + "); port 0 picks one.");
    option("--data", "DIR", "The folder of everything that is kept (default ~/.evenkeel).");
    option("--kubeconfig", "FILE", "Where to write the kubeconfig (default DIR/kubeconfig).");
    option(
        "--durability",
        "MODE",
        "What the embedded store's writes survive: sync (default, a power cut), or os (the end of"
            + " the process).");
    flag("--accept-loss", "Open an embedded store that has lost writes, and go on without them.");
    option(
        "--limit",
        "NAME=VALUE",
        "A limit other than the default; can be given several times. Names: reads, writes, watches,"
            + " watches-per-kind, request-bytes, request-time, wait-time, window-events,"
            + " window-bytes, window-time, history-time, connections.");
    flag(
        "--no-controllers",
        "Serve the API only: nothing is done about what is stored, unless controllers of your own"
            + " do it.");
    option(
        "--controllers",
        "PATH,…",
        "Controllers of your own to run as well: jars, or folders of a jar and what it needs."
            + " Several are divided by commas.");
    option(
        "--schedulers",
        "NAME,…",
        "Schedule the pods that name one of these as their scheduler; none leaves all of them to"
            + " others. Default: "
            + UpSettings.SCHEDULERS_DEFAULT
            + ".");
    option(
        "--scheduler-plugins",
        "PATH,…",
        "Plugins of your own that the scheduler asks: jars, or folders of a jar and what it"
            + " needs. Several are divided by commas.");
    option(
        "--service-cidr",
        "RANGE,…",
        "The range that services get their cluster addresses from, or one of each family."
            + " Default: "
            + UpSettings.SERVICES_DEFAULT
            + ".");
    flag(
        "--no-anonymous-health",
        "Answer /healthz, /livez, /readyz and /version only to those who say who they are. By"
            + " default everybody may ask: load balancers and probes have no credentials, and are"
            + " told no more than whether the server is well and which version it is.");
    option(
        "--service-account-issuer",
        "URL",
        "Who issues the tokens of service accounts, as they say themselves; can be given several"
            + " times: the first issues, tokens of the others are taken too. Default:"
            + " https://kubernetes.default.svc.cluster.local.");
    option(
        "--service-account-jwks-uri",
        "URL",
        "Where others find the keys of those tokens. Default: this server's own address.");
    option(
        "--service-account-signing-key-file",
        "FILE",
        "The private key that signs those tokens (PEM; RSA, or ECDSA on P-256, P-384 or P-521), in"
            + " place of the one in the data folder. Several servers of one cluster need the"
            + " same.");
    option(
        "--service-account-key-file",
        "FILE",
        "A key that such tokens are verified with, besides the one that signs; can be given several"
            + " times. To rotate the signing key, name the old one here until its tokens have"
            + " expired.");
    option(
        "--api-audiences", "NAME,…", "What this server is called in tokens. Default: the issuers.");
    option(
        "--token-auth-file",
        "FILE",
        "Tokens that never change: a line each of token, user, uid and, in quotes, groups.");
    spec.addOption(
        described(
                "--rehearse",
                "Start, be used a little, and stop: for the launcher, which records it.")
            .hidden(true)
            .build());
  }

  /** What the parser of all commands has to know of it. */
  public CommandSpec spec() {
    return spec;
  }

  private void option(String name, String label, String description) {
    spec.addOption(
        OptionSpec.builder(name)
            .arity("1")
            .type(String.class)
            .paramLabel(label)
            .description(description)
            .parameterConsumer(this::read)
            .build());
  }

  private void flag(String name, String description) {
    spec.addOption(described(name, description).build());
  }

  private OptionSpec.Builder described(String name, String description) {
    return OptionSpec.builder(name)
        .arity("0")
        .type(boolean.class)
        .description(description)
        .setter(
            new CommandLine.Model.ISetter() {
              @Override
              public <T> T set(T value) {
                if (Boolean.TRUE.equals(value)) {
                  values.flag(name);
                }
                return value;
              }
            });
  }

  private void read(Stack<String> words, ArgSpec option, CommandSpec command) {
    String name = ((OptionSpec) option).longestName();
    if (words.isEmpty()) {
      throw new ParameterException(
          command.commandLine(),
          "Missing required parameter for option '" + name + "' (" + option.paramLabel() + ")");
    }
    try {
      values.option(name, words.pop());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          command.commandLine(),
          "Invalid value for option '"
              + name
              + "' ("
              + option.paramLabel()
              + "): "
              + e.getMessage(),
          e);
    }
  }

  UpSettings settings() {
    return values.settings();
  }

  @Override
  public Integer call() throws InterruptedException {
    UpSettings settings = settings();
    String problem = settings.problem();
    if (problem != null) {
      throw new ParameterException(spec.commandLine(), problem);
    }
    return Up.run(settings, spec.commandLine().getOut());
  }
}
