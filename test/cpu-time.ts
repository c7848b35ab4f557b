/**
 * Starts measuring CPU time, and returns a function that returns the milliseconds used since. Unlike a clock, it
 * excludes time spent by other processes.
 */
export function cpuTime(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
}
