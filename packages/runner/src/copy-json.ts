/** A copy of plain JSON. (structuredClone takes ten times as long for values as small as ours mostly are.) */
export function copyJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}
