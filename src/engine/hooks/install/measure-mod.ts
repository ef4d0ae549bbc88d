/** Name of the mod and of its folder among the agent's skills, from which the agent loads it. */
export const modName = "purser";

/**
 * Returns the files of a Claude Code mod, by their paths in its folder: a function of ours that the agent calls in its own process whenever
 * it has measured its context or its plan's limits. It forwards them to the running service, as the status line's program does, and changes
 * nothing. Claude Code before 2.1.287 has no mods and ignores the folder.
 *
 * @param path path of the file with the address and the token of the hook server; the mod reads it every time
 */
export function modFiles(path: string): readonly { readonly path: string; readonly text: string }[] {
  const about = {
    name: modName,
    description:
      "Hands Context Purser the figures that Claude Code measures. purser hooks uninstall removes it.",
    version: "1.0.0",
  };
  return [
    { path: ".claude-plugin/plugin.json", text: json(about) },
    { path: "hooks/hooks.json", text: json({ modules: ["./measure.js"] }) },
    { path: "hooks/measure.js", text: moduleText(path) },
  ];
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function moduleText(path: string): string {
  return `// Written by Context Purser. \`purser hooks uninstall\` removes it, unless it was changed.
const place = ${JSON.stringify(path)};

export function register(on) {
  on("session.measure", async ($, event, next) => {
    const result = await next(event);
    try {
      // A subagent's context is its own.
      if (event.agentId === undefined) await tell($, event);
    } catch {
      // No service runs: the session goes on as without it.
    }
    return result;
  });
}

async function tell($, { context, rateLimits }) {
  const { port, token } = JSON.parse(await $.fs.read(place));
  const { tokens, window } = context ?? {};
  const body = {
    hook_event_name: "StatusLine",
    session_id: await $.session.id(),
    model: { id: await $.session.model() },
    context_window: {
      context_window_size: window,
      current_usage: tokens === undefined ? null : { input_tokens: tokens },
    },
    rate_limits: Object.fromEntries((rateLimits ?? []).map(limitOf)),
  };
  await $.http.fetch(\`http://127.0.0.1:\${port}/hook/claude-code\`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: \`Bearer \${token}\` },
    body: JSON.stringify(body),
  });
}

// Times are told as text, in milliseconds or in seconds, by version.
function limitOf({ kind, percentUsed, resetsAt }) {
  const time = typeof resetsAt === "string" ? Date.parse(resetsAt) : Number(resetsAt);
  const seconds = time > 1e11 ? time / 1000 : time;
  return [kind, { used_percentage: percentUsed, ...(seconds > 0 ? { resets_at: seconds } : {}) }];
}
`;
}
