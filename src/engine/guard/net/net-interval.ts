import { errorOfSide } from "../../base/confidence.ts";
import type { RestingFormat } from "./net-answers.ts";

/** Savings of one kind of shortened output in one session on one day. Tokens at the price of new input. */
export interface NetUnit {
  /** Gross minus what followed. */
  readonly net: number;
  /** The cost if each of its calls had to be made again. */
  readonly atRisk: number;
  readonly outputs: number;
}

/** The range of a sum of nets. */
export interface NetInterval {
  readonly low: number;
  readonly high: number;
}

/** With fewer, nothing is known yet. */
export const minUnits = 6;
const minOutputs = 12;
/** With so many, a net that is not shown to be above zero ends the format. */
const [enoughUnits, enoughOutputs] = [120, 200];
/** Units for which the interval is made as narrow as possible. */
const bestAt = 60;

/**
 * Returns the interval of the sum; null with too few outputs. It holds at every look, however often one looks, as far
 * as the sum is normal: an asymptotic confidence sequence (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas 2024). Units
 * are sessions and days, as outputs of one session depend on each other. A rare loss may be missing among the units, so
 * one more is added in which all of its calls had to be made again.
 */
export function netInterval(units: readonly NetUnit[]): NetInterval | null {
  const outputs = units.reduce((sum, unit) => sum + unit.outputs, 0);
  if (units.length < minUnits || outputs < minOutputs) return null;
  const risk = units.reduce((sum, { atRisk }) => sum + atRisk, 0) / units.length;
  const values = [...units.map(({ net }) => net), -risk];
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1);
  const half = Math.sqrt(variance) * widthAt(count);
  return { low: units.length * (mean - half), high: units.length * (mean + half) };
}

/** Half the width of the interval of a mean, in standard deviations. */
function widthAt(count: number): number {
  const error = 2 * errorOfSide;
  const best = -2 * Math.log(error);
  const scale = (best + Math.log(best + 1)) / bestAt;
  const spread = count * scale;
  return Math.sqrt(((2 * (spread + 1)) / (count * spread)) * Math.log(Math.sqrt(spread + 1) / error));
}

/** Verdict on a net. `unproven`: not above zero after enough outputs. */
export type NetState = RestingFormat["why"];

export function netState(units: readonly NetUnit[]): NetState {
  const interval = netInterval(units);
  if (interval === null) return "unknown";
  if (interval.low > 0) return "saves";
  if (interval.high < 0) return "loses";
  const outputs = units.reduce((sum, unit) => sum + unit.outputs, 0);
  return units.length >= enoughUnits && outputs >= enoughOutputs ? "unproven" : "unknown";
}
