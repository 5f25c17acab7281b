package dev.evenkeel.serve.kinds.rules.workload;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.cron.CronSchedule;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.pod.PodTemplates;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.ObjectNode;

/** Cron jobs. */
public final class CronJobRules implements KindRules {

  /** The jobs' names get eleven characters more. */
  private static final int NAME_LENGTH_MAX = 52;

  @Override
  public void applyDefaults(ObjectNode cronJob) {
    ObjectNode spec = Specs.of(cronJob);
    PodTemplates.applyDefaults(Meta.at(spec, "jobTemplate", "spec", "template"));
  }

  @Override
  public void prepareForCreate(ObjectNode cronJob) {
    cronJob.putObject("status");
  }

  @Override
  public void validate(ObjectNode cronJob, Problems problems) {
    Place spec = Place.of(cronJob, problems).at("spec");
    Place schedule = spec.at("schedule");
    if (!schedule.isEmpty()) {
      String fault = CronSchedule.fault(withoutZone(schedule.text()));
      if (fault != null) {
        schedule.invalid(fault);
      }
      if (schedule.text().contains("TZ")) {
        schedule.invalid("cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
      }
    }
    timeZone(spec.at("timeZone"));
    Place job = spec.at("jobTemplate", "spec");
    JobSpecs.validate(job);
    if (job.at("selector").isThere()) {
      job.at("selector").invalid("`selector` will be auto-generated");
    }
    if (job.at("manualSelector").flag()) {
      job.at("manualSelector").notSupported(List.of("nil", "false"));
    }
  }

  /** A zone before the fields is a fault of its own. */
  private static String withoutZone(String schedule) {
    if (!schedule.startsWith("TZ=") && !schedule.startsWith("CRON_TZ=")) {
      return schedule;
    }
    int space = schedule.indexOf(' ');
    return space < 0 ? "" : schedule.substring(space);
  }

  private static void timeZone(Place zone) {
    if (!zone.isThere()) {
      return;
    }
    if (zone.isEmpty()) {
      zone.invalid("timeZone must be nil or non-empty string");
    } else if (zone.text().toLowerCase(Locale.ROOT).equals("local")) {
      zone.invalid(
          "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones");
    } else if (!isZone(zone.text())) {
      zone.invalid("unknown time zone " + zone.text());
    }
  }

  /** Only names: offsets such as {@code +01:00} are none. */
  private static boolean isZone(String text) {
    if (!text.equals("UTC") && !ZoneId.getAvailableZoneIds().contains(text)) {
      return false;
    }
    try {
      return ZoneId.of(text).getId().equals(text);
    } catch (DateTimeException e) {
      return false;
    }
  }

  @Override
  public void validateCreate(ObjectNode cronJob, Problems problems) {
    Place name = Place.of(cronJob, problems).at("metadata", "name");
    if (name.text().length() > NAME_LENGTH_MAX) {
      name.invalid("must be no more than " + NAME_LENGTH_MAX + " characters");
    }
  }

  @Override
  public List<String> warnings(ObjectNode cronJob) {
    List<String> warnings = new ArrayList<>();
    List<String> faults = Names.dnsLabel(Meta.name(cronJob));
    if (!faults.isEmpty() && !Meta.name(cronJob).isEmpty()) {
      warnings.add(
          "metadata.name: this is used in Pod names and hostnames, which can result in surprising"
              + " behavior; a DNS label is recommended: "
              + faults);
    }
    warnings.addAll(
        PodTemplates.warnings(
            Place.of(cronJob, new Problems()).at("spec", "jobTemplate", "spec", "template")));
    return warnings;
  }
}
