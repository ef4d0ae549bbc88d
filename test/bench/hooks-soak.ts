import { Agent } from "node:http";
import type { HookServerAddress } from "../../src/engine/hooks/server/address.ts";
import { post } from "../engine/service/support/hooks.ts";
import { quantileOf } from "./quantile.ts";

export interface SoakInput {
  readonly place: HookServerAddress;
  /** Calls per second. */
  readonly rate: number;
  readonly seconds: number;
  readonly connections: number;
  /** The body of the nth call. */
  readonly bodyOf: (call: number) => string;
  /** Memory of the service, in bytes. */
  readonly memory: () => Promise<number>;
}

export interface Soaked {
  readonly sent: number;
  readonly answered: number;
  /** Milliseconds of each answered call. */
  readonly took: readonly number[];
  /** Bytes: after the first third, when both sides are warm, at the end, and the trend from there. */
  readonly memory: { readonly warm: number; readonly end: number; readonly slopePerMinute: number };
}

/** Sends hooks at a steady rate, whether or not earlier ones were answered: like many independent agents. */
export async function soakHooks(input: SoakInput): Promise<Soaked> {
  const { place: address, rate, seconds, connections, bodyOf, memory } = input;
  const agents = Array.from({ length: connections }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const took: number[] = [];
  const samples: { at: number; bytes: number }[] = [];
  const calls: Promise<unknown>[] = [];
  const begun = performance.now();
  const one = async (call: number) => {
    const agent = agents[call % connections];
    const at = performance.now();
    const answer = await post(address, bodyOf(call), agent === undefined ? {} : { agent });
    if (answer.status === 200) took.push(performance.now() - at);
  };
  const total = rate * seconds;
  let sent = 0;
  let second = 0;
  while (sent < total) {
    const elapsed = performance.now() - begun;
    for (const due = Math.min(total, Math.ceil((elapsed / 1000) * rate)); sent < due; sent += 1)
      // A failed call counts as unanswered.
      calls.push(one(sent).catch(() => undefined));
    if (elapsed >= second * 1000) {
      second += 1;
      samples.push({ at: elapsed, bytes: await memory() });
    }
    await new Promise((resolve) => setTimeout(resolve, 1000 / rate));
  }
  await Promise.all(calls);
  for (const agent of agents) agent.destroy();
  const warmed = samples.slice(Math.floor(samples.length / 3));
  const third = Math.max(1, Math.floor(warmed.length / 3));
  const middle = (some: readonly { bytes: number }[]) =>
    quantileOf(
      some.map(({ bytes }) => bytes),
      0.5,
    );
  return {
    sent,
    answered: took.length,
    took,
    memory: {
      warm: middle(warmed.slice(0, third)),
      end: middle(warmed.slice(-third)),
      slopePerMinute: slopeOf(warmed) * 60_000,
    },
  };
}

/** Slope of the least-squares line through the samples. Bytes per millisecond. */
function slopeOf(samples: readonly { at: number; bytes: number }[]): number {
  const count = samples.length;
  const meanOf = (value: (each: (typeof samples)[number]) => number) =>
    samples.reduce((sum, each) => sum + value(each), 0) / count;
  const [at, bytes] = [meanOf((each) => each.at), meanOf((each) => each.bytes)];
  const up = samples.reduce((sum, each) => sum + (each.at - at) * (each.bytes - bytes), 0);
  return up / samples.reduce((sum, each) => sum + (each.at - at) ** 2, 0);
}
