package dev.evenkeel.serve.podsecurity;

/** A level as it was in a version: written {@code baseline:latest}. */
public record LevelVersion(Level level, PolicyVersion version) {

  public static final LevelVersion PRIVILEGED =
      new LevelVersion(Level.PRIVILEGED, PolicyVersion.LATEST);

  public boolean isPrivileged() {
    return level == Level.PRIVILEGED;
  }

  @Override
  public String toString() {
    return level.word() + ":" + version;
  }
}
