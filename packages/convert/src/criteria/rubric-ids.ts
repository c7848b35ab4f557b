/** Returns the id of a statement: the same statement has the same id in every case, and no other has it. */
export type RubricIds = (name: string, statement: string) => string;

export function openRubricIds(): RubricIds {
  const known = new Map<string, string>();
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return (name, statement) => {
    const own = known.get(statement);
    if (own !== undefined) return own;
    const wanted =
      name
        .replace(/[^\p{L}\p{N}]+/gu, '_')
        .replace(/^_+|_+$/g, '')
        .toLowerCase()
        .slice(0, 60) || 'rubric';
    let id = wanted;
    while (taken.has(id)) {
      const next = (counts.get(wanted) ?? 1) + 1;
      counts.set(wanted, next);
      id = `${wanted}_${next}`;
    }
    taken.add(id);
    known.set(statement, id);
    return id;
  };
}
