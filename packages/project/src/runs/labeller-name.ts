/** The name under which labels are stored if the labeller is unknown. */
export const ANONYMOUS = 'anonymous';

/** The name of the user of this machine, for labels; `null`: the environment names none. */
export function labellerName({ USER, LOGNAME, USERNAME }: Readonly<Record<string, string | undefined>>): string | null {
  return USER || LOGNAME || USERNAME || null;
}
