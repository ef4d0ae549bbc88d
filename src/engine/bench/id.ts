import { configurationHash } from "./configuration.ts";
import type { BenchRequest, Shard } from "./request.ts";
import { sha256 } from "./sha256.ts";
import { suiteHash } from "./suite/suite.ts";

/** What a bench's id may be: it is a folder's name on any system. */
const benchIdForm = /^[A-Za-z0-9_][\w.-]{0,99}$/u;

export function isBenchId(id: string): boolean {
  return benchIdForm.test(id) && !id.endsWith(".");
}

type Asked = Pick<BenchRequest, "suite" | "configurations" | "taskIds" | "driver" | "seed">;

/**
 * What is measured and in which order, whoever makes which part of it: the same for the shards of a bench, and other when anything that
 * decides a run's outcome is.
 */
export function requestHash({ suite, configurations, taskIds, driver, seed }: Asked): string {
  const agents = [...new Set(configurations.map(({ agent }) => agent))].sort();
  return sha256(
    JSON.stringify([
      agents.map((agent) => [agent, suiteHash(suite, agent), hashOfAgent(suite, agent)]),
      configurations.map(configurationHash),
      [...taskIds].sort(),
      driver,
      seed,
    ]),
  );
}

function hashOfAgent(suite: Asked["suite"], name: string): string | null {
  return suite.agents.find((agent) => agent.name === name)?.hash ?? null;
}

/** The folder's name of a bench, or of one shard of it. */
export function benchFolderName(id: string, shard: Shard | null): string {
  return shard === null ? id : `${id}.${shard.index}of${shard.of}`;
}
