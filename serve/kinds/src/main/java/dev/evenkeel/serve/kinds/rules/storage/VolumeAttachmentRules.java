package dev.evenkeel.serve.kinds.rules.storage;

import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import tools.jackson.databind.node.ObjectNode;

/** A volume's attachment to a node. */
public final class VolumeAttachmentRules implements KindRules {

  private static final String EXACTLY_ONE =
      "must specify exactly one of inlineVolumeSpec and persistentVolumeName";

  @Override
  public void prepareForCreate(ObjectNode attachment) {
    attachment.putObject("status").put("attached", false);
  }

  @Override
  public void validate(ObjectNode attachment, Problems problems) {
    Place spec = Place.of(attachment, problems).at("spec");
    Place attacher = spec.at("attacher");
    Names.csiDriver(attacher.text()).forEach(fault -> attacher.invalid(attacher.text(), fault));
    Place source = spec.at("source");
    Place name = source.at("persistentVolumeName");
    boolean inline = source.at("inlineVolumeSpec").isThere();
    if (!inline && !name.isThere()) {
      source.required(EXACTLY_ONE);
    } else if (inline && name.isThere()) {
      source.forbidden(EXACTLY_ONE);
    } else if (name.isThere()) {
      if (name.isEmpty()) {
        name.required("must specify non empty persistentVolumeName");
      } else {
        name.invalid(Names.dnsSubdomain(name.text()));
      }
    }
    spec.at("nodeName").invalid(Names.dnsSubdomain(spec.at("nodeName").text()));
  }

  @Override
  public void validateUpdate(ObjectNode attachment, ObjectNode old, Problems problems) {
    Place.of(attachment, problems).at("spec").immutable(old.path("spec"));
  }
}
