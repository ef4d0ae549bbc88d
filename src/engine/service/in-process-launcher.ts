import { fail, succeed } from "../base/result.ts";
import type { Launcher } from "./launch.ts";
import type { ServicePorts } from "./service-ports.ts";
import { Service } from "./service.ts";

/** On the thread that asks, for as long as its process lives: for tests, which look into the service. */
export function inProcessLauncher(
  ports: ServicePorts,
  onStart: (service: Service) => void = () => undefined,
): Launcher {
  return async () => {
    const service = await Service.start(ports);
    // Another was faster: that is as good.
    if (!service.ok && service.reason === "running")
      return succeed({ ended: Promise.resolve(succeed(undefined)) });
    if (!service.ok) return fail("failed", service.detail);
    onStart(service.value);
    return succeed({ ended: service.value.stopped.then(() => succeed(undefined)) });
  };
}
