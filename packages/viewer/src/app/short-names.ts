/**
 * Shortens names for the heads of columns: `rubric_based_tool_use_quality_v1` becomes "tool use". What distinguishes two
 * names is kept.
 */
export function shortNames(names: readonly string[]): ReadonlyMap<string, string> {
  const short = names.map(shorten);
  const brief = short.map((name) => name.replace(/ quality$/, ''));
  const isAlone = (form: string, place: number, ...others: readonly (readonly string[])[]) =>
    form !== '' && others.every((all) => all.every((other, at) => at === place || other !== form));
  return new Map(
    names.map((name, place) => {
      const [own = '', briefly = ''] = [short[place], brief[place]];
      if (isAlone(briefly, place, brief, short)) return [name, briefly];
      return [name, isAlone(own, place, short) ? own : name];
    }),
  );
}

function shorten(name: string): string {
  return name
    .replace(/^rubric_based_/, '')
    .replace(/_v\d+$/, '')
    .replace(/(_avg)?_score$/, '')
    .replaceAll('_', ' ')
    .trim();
}
