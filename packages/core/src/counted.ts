/** Formats a number with its noun: `1 case`, `2 cases`. */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
