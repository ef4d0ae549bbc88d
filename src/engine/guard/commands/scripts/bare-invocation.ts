import type { Invocation } from "../invocation.ts";
import { environmentOf, type Scope } from "../scope.ts";

/** Returns an invocation in a scope that has neither a program nor words yet. */
export function bareInvocation(scope: Scope, isGuess: boolean): Invocation {
  const { folder, place, via, shown } = scope;
  return {
    environment: environmentOf(scope),
    program: "",
    args: [],
    redirections: [],
    from: [],
    runs: [],
    input: null,
    via,
    folder,
    place,
    shown,
    isGuess,
  };
}
