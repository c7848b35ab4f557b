/** Lists names up to a maximum: `a, b and 3 more`. */
export function nameList<T>(all: readonly T[], most: number, name: (one: T) => string): string {
  const shown = all.slice(0, most).map(name).join(', ');
  return all.length > most ? `${shown} and ${all.length - most} more` : shown;
}
