package dev.evenkeel.serve.admission;

/** Is told how plugins are asked, and has them asked. */
public interface AdmissionMeter {

  /** Measures nothing. */
  AdmissionMeter NONE = (_, _, _, work) -> work.run();

  /** What a plugin is asked for. */
  enum Step {
    MUTATE("admit"),
    VALIDATE("validate");

    private final String word;

    Step(String word) {
      this.word = word;
    }

    /** Upstream's word for it. */
    public String word() {
      return word;
    }
  }

  /** Asks a plugin, and measures that. What the plugin throws is thrown. */
  void measure(String plugin, Step step, Operation operation, Runnable work);
}
