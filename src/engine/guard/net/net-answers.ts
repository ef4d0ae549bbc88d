import * as z from "zod/mini";

/**
 * One definition for every place that shows it. A token saved is a token at the price of new input. Gross: the tokens
 * left out of an output, over all requests that would have carried them until the context shrank. Minus: the calls that
 * followed because of it, each with its request and its output. Net is gross minus that.
 */
const followUps = z.object({ calls: z.number(), tokens: z.number() });

const figures = {
  outputs: z.number(),
  /** Outputs after which no request is known yet. They count nowhere else. */
  pending: z.number(),
  sessions: z.number(),
  /** Tokens left out, each counted once, and the requests that would have carried them. */
  leftOut: z.number(),
  requests: z.number(),
  gross: z.number(),
  minus: z.number(),
  net: z.number(),
  fetched: followUps,
  again: followUps,
  narrower: followUps,
  error: followUps,
  /** Interval of the net, at the confidence of all intervals; null while too little is known. */
  interval: z.nullable(z.object({ low: z.number(), high: z.number() })),
  /** List price; null where no model's price is known. */
  usd: z.nullable(z.object({ gross: z.number(), minus: z.number(), net: z.number() })),
  /** Outputs and calls that are not in `usd`. */
  unpriced: z.number(),
};
const netFigures = z.object(figures);
export type NetFigures = z.infer<typeof netFigures>;

const netRow = z.object({ name: z.string(), ...figures });
export type NetRow = z.infer<typeof netRow>;

/** A format that is switched off: for one command, or for all where `command` is null. */
const restingFormat = z.object({
  /** Names the format to `purser output on`. */
  id: z.string(),
  rule: z.string(),
  command: z.nullable(z.string()),
  /** `unproven`: not above zero after enough outputs. */
  why: z.enum(["unknown", "saves", "loses", "unproven"]),
  ...figures,
});
export type RestingFormat = z.infer<typeof restingFormat>;

/** A format that the user switched on again. */
const wokenFormat = z.object({ id: z.string(), at: z.number() });

export const netView = z.object({
  total: netFigures,
  /** By the agent's tool, by the program behind the output, and by format. The largest net first. */
  tools: z.array(netRow),
  programs: z.array(netRow),
  formats: z.array(netRow),
  resting: z.array(restingFormat),
  woken: z.array(wokenFormat),
});
export type NetView = z.infer<typeof netView>;
