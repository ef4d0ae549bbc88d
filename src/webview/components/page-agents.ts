import { AgentDisplayNames } from "../../engine/base/text/agent-display-names.ts";

const prefix = "agent:";
const tags = document.querySelectorAll<HTMLMetaElement>(`meta[name^="${prefix}"]`);

/** The agents' display names, which the host writes into the page. */
export const agentNames = new AgentDisplayNames(
  [...tags].map(({ name, content }) => ({ name: name.slice(prefix.length), displayName: content })),
);
