import { AgentDisplayNames } from "../../engine/base/local-format.ts";

const prefix = "agent:";
const tags = document.querySelectorAll<HTMLMetaElement>(`meta[name^="${prefix}"]`);

/** The agents' display names, which the host writes into the page. */
export const agentNames = new AgentDisplayNames(
  [...tags].map(({ name, content }) => ({ name: name.slice(prefix.length), displayName: content })),
);
