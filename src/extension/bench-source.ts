import type { Disposable } from "../engine/base/disposable.ts";
import type { Result } from "../engine/base/result.ts";
import type { BenchPlan } from "../engine/bench/plan.ts";
import type {
  BenchChoices,
  FileChangeView,
  JobAsk,
  JobSummary,
  JobView,
  RunPage,
} from "../engine/service/bench-view.ts";

/**
 * - `starting`: there is nobody to ask yet; a change is told when there is, or will not be;
 * - `offline`: there is nobody to ask, and the detail says why in the user's words; a change is told when there is;
 * - `failed`: it was asked and could not answer.
 */
export type BenchFailure = "starting" | "offline" | "failed";
type Asking<Answer> = Promise<Result<Answer, BenchFailure>>;

/** Where the panel, the palette and the Testing view have benches from. */
export interface BenchSource {
  /** Whether a suite of the workspace's own is looked for too: only in a trusted one. */
  readonly isTrusted: boolean;
  /** Ends when there is somebody to ask, or it is known that there is not, or after a while. */
  ready(): Promise<void>;
  choices(signal?: AbortSignal): Asking<BenchChoices>;
  plan(ask: JobAsk, signal?: AbortSignal): Asking<BenchPlan>;
  start(ask: JobAsk): Asking<{ readonly id: string }>;
  /** Ends when nothing of it goes on any more. */
  cancel(id: string): Asking<object>;
  resume(id: string): Asking<object>;
  list(signal?: AbortSignal): Asking<readonly JobSummary[]>;
  read(id: string, signal?: AbortSignal): Asking<JobView | null>;
  runPage(id: string, runId: string, signal?: AbortSignal): Asking<RunPage | null>;
  /** A file that a run changed, before and after. */
  change(id: string, runId: string, path: string): Asking<FileChangeView | null>;
  /** Looks for somebody to ask because a person wants to; ends when it is known how that went. */
  retry(): Promise<void>;
  /** Benches that changed, or undefined: any answer may be another than it was, or there is somebody to ask again. */
  onChange(listener: (jobs: readonly JobSummary[] | undefined) => void): Disposable;
}
