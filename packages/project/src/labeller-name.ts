/** Under which name somebody labels who gave none: that of the user of this machine. */
export function labellerName({ USER, LOGNAME, USERNAME }: Readonly<Record<string, string | undefined>>): string {
  return USER || LOGNAME || USERNAME || 'anonymous';
}
