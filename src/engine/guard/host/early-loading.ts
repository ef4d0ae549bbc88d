import { defaultHookContext, type HookHandler } from "../../hooks/hooks-handler.ts";

interface LoadingPorts {
  /** Whether any guard is more than off for sessions of a folder. */
  readonly isOn: (folder: string | null) => boolean;
  /** Loads the code of the guards. */
  readonly load: (folder: string | null) => Promise<void>;
  readonly onProblem: (message: string) => void;
}

/** Time in which an answer is sent before the thread is busy with loading. Milliseconds. */
const afterAnswer = 20;

/**
 * Has the guards' code loaded once a session starts or its user asks something, so that the first call of a tool is judged in time. Without
 * a session the service does not hold that code.
 */
export function earlyLoading({
  isOn,
  load,
  onProblem,
}: LoadingPorts): HookHandler<"SessionStart" | "UserPromptSubmit"> {
  let isLoading = false;
  return {
    name: "guard-loading",
    events: ["SessionStart", "UserPromptSubmit"],
    budget: 10,
    answer: ({ cwd: folder = null }, { answered } = defaultHookContext) => {
      if (isLoading || !isOn(folder)) return null;
      isLoading = true;
      const begin = () => {
        load(folder).catch((error: unknown) => {
          isLoading = false;
          onProblem(`The guards' code was not loaded: ${String(error)}`);
        });
      };
      void answered.then(() => setTimeout(begin, afterAnswer).unref());
      return null;
    },
  };
}
