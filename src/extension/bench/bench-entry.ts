import type * as vscode from "vscode";
import type { Observable } from "../../engine/base/observable.ts";
import type { BenchBadge } from "./bench-badge.ts";
import { registerPanel } from "../panels/register.ts";
import { panels } from "../panels/registry.ts";
import type { Services } from "../services.ts";

export function registerBench(
  services: Services,
  badge: Observable<BenchBadge | undefined>,
): vscode.Disposable {
  return registerPanel(services, panels.bench, async () => {
    const { BenchHost } = await import("./bench-host.ts");
    return new BenchHost(services, badge);
  });
}
