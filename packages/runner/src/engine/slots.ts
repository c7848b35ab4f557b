/** Room for so many at once; the others wait in line. */
export interface Slots {
  /** Takes room: at once, or a promise of it. */
  enter(): Promise<void> | undefined;
  /** Makes room for the next in line. */
  leave(): void;
}

/** While there is room this costs next to nothing, unlike a queue that wraps every piece of work. */
export function openSlots(count: number): Slots {
  let free = count;
  const line: (() => void)[] = [];
  return {
    enter() {
      if (free === 0) return new Promise((resolve) => line.push(resolve));
      free -= 1;
      return undefined;
    },
    leave() {
      const next = line.shift();
      if (next === undefined) free += 1;
      else next();
    },
  };
}
