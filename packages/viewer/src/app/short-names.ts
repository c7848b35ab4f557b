/**
 * Shortens names for narrow screens: `rubric_based_tool_use_quality_v1` becomes "tool use quality". Names that would
 * become ambiguous are kept as they are.
 */
export function shortNames(names: readonly string[]): ReadonlyMap<string, string> {
  const times = new Map<string, number>();
  for (const name of names) times.set(shorten(name), (times.get(shorten(name)) ?? 0) + 1);
  return new Map(names.map((name) => [name, times.get(shorten(name)) === 1 ? shorten(name) : name]));
}

function shorten(name: string): string {
  const short = name
    .replace(/^rubric_based_/, '')
    .replace(/_v\d+$/, '')
    .replace(/(_avg)?_score$/, '')
    .replaceAll('_', ' ')
    .trim();
  return short === '' ? name : short;
}
