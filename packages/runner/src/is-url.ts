/** Whether an agent is named by its URL. */
export function isUrl(agent: string): boolean {
  return /^https?:\/\//i.test(agent);
}
