import type { Conversation } from '../conversation.ts';

/** The longest id in characters. */
const LONGEST = 200;

/**
 * Gives each conversation an id: its own, or one made from the name of its file. An id that is taken gets a number.
 *
 * @param name The start of ids for conversations without one.
 * @param onLoss Called for an id that is changed.
 */
export function uniqueIds(
  name: string,
  onLoss: (what: string, where: string) => void,
): (conversation: Conversation) => string {
  const taken = new Set<string>();
  let count = 0;
  return ({ id, repeat, where }) => {
    count += 1;
    const trimmed = id?.trim() ?? '';
    if (trimmed.length > LONGEST) onLoss(`ids of more than ${LONGEST} characters, shortened`, where);
    const own = trimmed.slice(0, LONGEST);
    // Conversations of one case share its id.
    if (own !== '' && repeat !== undefined) return own;
    const wanted = own === '' ? `${name}-${count}` : own;
    let free = wanted;
    for (let number = 2; taken.has(free); number++) free = `${wanted} (${number})`;
    taken.add(free);
    if (own !== '' && free !== wanted) onLoss('ids that an earlier conversation has, which got a number', where);
    return free;
  };
}
