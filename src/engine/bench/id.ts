import { configurationHash } from "./configuration.ts";
import type { BenchRequest, Shard } from "./bench-request.ts";
import { sha256Hex } from "../base/hash.ts";
import { suiteHash } from "./suite/suite.ts";

/** Form of a bench's id: a valid folder name on any system. */
const benchIdForm = /^[A-Za-z0-9_][\w.-]{0,99}$/u;

export function isBenchId(id: string): boolean {
  return benchIdForm.test(id) && !id.endsWith(".");
}

type Asked = Pick<BenchRequest, "suite" | "configurations" | "taskIds" | "driver" | "seed" | "design">;

/**
 * Hashes what is measured and in which order: equal for all shards of a bench, and different if anything that
 * decides a run's outcome changes.
 */
export function requestHash({ suite, configurations, taskIds, driver, seed, design }: Asked): string {
  const agents = [...new Set(configurations.map(({ agent }) => agent))].sort();
  return sha256Hex(
    JSON.stringify([
      agents.map((agent) => [agent, suiteHash(suite, agent), hashOfAgent(suite, agent)]),
      configurations.map(configurationHash),
      [...taskIds].sort(),
      driver,
      seed,
      // Absent in benches from before designs.
      ...(design === undefined ? [] : [design]),
    ]),
  );
}

function hashOfAgent(suite: Asked["suite"], name: string): string | null {
  return suite.agents.find((agent) => agent.name === name)?.hash ?? null;
}

/** The folder name of a bench, or of one of its shards. */
export function benchFolderName(id: string, shard: Shard | null): string {
  return shard === null ? id : `${id}.${shard.index}of${shard.of}`;
}
