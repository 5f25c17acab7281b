package dev.evenkeel.samples.website;

import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.decide.run.ControllerProvider;
import java.util.Collection;
import java.util.List;

/** Lets a server run the sample itself: {@code evenkeel up --controllers website.jar}. */
public final class WebsiteProvider implements ControllerProvider {

  @Override
  public Collection<Class<? extends Record>> kinds() {
    return List.of(WebsiteController.Website.class);
  }

  @Override
  public Collection<Controller<?>> controllers() {
    return List.of(WebsiteController.controller());
  }
}
