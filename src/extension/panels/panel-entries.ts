import type * as vscode from "vscode";
import type { Observable } from "../../engine/base/events.ts";
import type { BenchBadge } from "../sessions/badges.ts";
import { registerPanel } from "./register.ts";
import { panels } from "./registry.ts";
import type { Services } from "../services.ts";

// These features register nothing but their panel. The editor's part of each is loaded on first use.

export function registerBench(
  services: Services,
  badge: Observable<BenchBadge | undefined>,
): vscode.Disposable {
  return registerPanel(services, panels.bench, async () => {
    const { BenchHost } = await import("../bench/bench-host.ts");
    return new BenchHost(services, badge);
  });
}

export function registerCompare(services: Services): vscode.Disposable {
  return registerPanel(services, panels.compare, async () => {
    const { CompareHost } = await import("../compare/compare-host.ts");
    return new CompareHost(services);
  });
}

export function registerEconomyPanel(services: Services): vscode.Disposable {
  return registerPanel(services, panels.economy, async () => {
    const { EconomyPanel } = await import("../economy/economy-panel.ts");
    return new EconomyPanel(services);
  });
}

export function registerLedger(services: Services): vscode.Disposable {
  return registerPanel(services, panels.ledger, async () => {
    const { LedgerPanel } = await import("../ledger/ledger-panel.ts");
    return new LedgerPanel(services);
  });
}

export function registerStatusPanel(services: Services): vscode.Disposable {
  return registerPanel(services, panels.report, async () => {
    const { StatusPanel } = await import("../report/report-panel.ts");
    return new StatusPanel(services);
  });
}

export function registerRules(services: Services, badge: Observable<number>): vscode.Disposable {
  return registerPanel(services, panels.rules, async () => {
    const { RulesHost } = await import("../rules/rules-host.ts");
    return new RulesHost(services, badge);
  });
}
