/** `num_runs` -> `--num-runs`, as help shows it. */
export function shownFlag(name: string): string {
  return `--${name.replaceAll('_', '-')}`;
}
