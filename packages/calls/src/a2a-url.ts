/**
 * Whether a URL names an agent by the A2A protocol: `a2a+https://…` for a server, or the address of an agent card, which
 * ends in `agent-card.json`, or in `agent.json` as before version 0.3. Other URLs are left to other protocols.
 */
export function isA2aUrl(text: string): boolean {
  return /^a2a\+https?:\/\//i.test(text) || /^https?:\/\/[^?#]*\/agent(?:-card)?\.json(?:[?#]|$)/i.test(text);
}
