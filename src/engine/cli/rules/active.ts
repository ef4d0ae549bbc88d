import { sentence, type Sentence, t } from "../../base/language.ts";
import { cleanText } from "../../base/text.ts";
import {
  defaultModel,
  type Configuration,
  currentConfiguration,
  withMemory,
  type ActiveMemories,
} from "../../bench/configuration.ts";
import type { DriverName } from "../../bench/run-facts.ts";
import type { GoldenAgent } from "../../bench/suite.ts";
import { memoriesOf } from "../../jobs/executor.ts";
import { ensureService } from "../../service/ensure.ts";
import { LastingService } from "../../service/launch.ts";
import { ruleOfView } from "../../jobs/measure-rules.ts";
import type { BenchRequest } from "../bench/options.ts";
import type { CliHost } from "../cli-ports.ts";
import { claudeRoot } from "../../transcripts/claude.ts";
import { servicePorts } from "../service/service-access.ts";
import { asLine } from "../terminal-text.ts";

/** Asks the service, unless another memory is given. Null if unknown: the agent then runs without rules, and does not count for a baseline. */
export async function activeRules(
  agents: readonly string[],
  { memory }: Pick<BenchRequest, "memory">,
  host: CliHost,
): Promise<ActiveMemories | null> {
  if (memory !== null) return null;
  const connect = () => ensureService({ ...servicePorts(host), signal: host.signal });
  const client = await connect();
  if (!client.ok) return unknown(client.detail, host);
  const service = new LastingService(client.value, { connect, clock: { now: host.now } });
  try {
    const read = await service.ask("rulesRead", { root: claudeRoot(host) }, host.signal);
    return read.ok ? memoriesOf(agents, read.value.view.rules.map(ruleOfView)) : unknown(read.detail, host);
  } finally {
    service.dispose();
  }
}

function unknown(detail: Sentence, { stderr }: Pick<CliHost, "stderr">): null {
  stderr.write(
    `${cleanText(`purser: ${t("the active rules are unknown ({0}), so it runs without rules and does not count for a baseline", asLine(detail))}`)}\n`,
  );
  return null;
}

export function measuredAgent(
  agent: Pick<GoldenAgent, "name" | "model">,
  { model, effort, memory }: Pick<BenchRequest, "model" | "effort" | "memory">,
  { driver, active }: { readonly driver: DriverName; readonly active: ActiveMemories | null },
): Configuration {
  const own = { agent: agent.name, model: model ?? defaultModel(driver, agent), effort };
  if (memory !== null) return withMemory(own, memory);
  if (active === null) return withMemory(own, { label: sentence("rules not known"), text: null });
  return currentConfiguration({ ...own, memory: active[agent.name] ?? null });
}
