const SLOTS: Readonly<Record<string, string>> = { toaster: 'Saturday 10:00', lamp: 'Saturday 11:30' };
const PARTS: Readonly<Record<string, { readonly count: number; readonly euro: number }>> = {
  'kettle fuse': { count: 5, euro: 2 },
  'lamp driver': { count: 0, euro: 9 },
};

/** The next free place at the repair table. */
export function findSlot({ item }: { readonly item: string }) {
  const slot = SLOTS[item];
  return slot === undefined ? { free: false } : { free: true, slot };
}

export function bookSlot({
  item,
  slot,
  name,
}: {
  readonly item: string;
  readonly slot: string;
  readonly name: string;
}) {
  return { code: `R-${item.length}${slot.length}${name.length}`, item, slot, name };
}

export function findPart({ item, part }: { readonly item: string; readonly part: string }) {
  return PARTS[`${item} ${part}`] ?? { count: 0, euro: null };
}
