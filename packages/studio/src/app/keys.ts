import { useKeys } from '@agent-criteria/viewer/views';
import { covered, keysOn } from './store.ts';

/** Listens for single keys unless shortcuts are turned off or a dialog is open. */
export function useStudioKeys(keys: Readonly<Record<string, () => void>>): void {
  useKeys(keysOn.value && covered.value === 0, keys);
}

/** Moves the focus between the links of a list using j and k. */
export function useListKeys(selector: string): void {
  const step = (by: 1 | -1) => {
    const links = [...document.querySelectorAll<HTMLElement>(selector)];
    const here = links.indexOf(document.activeElement as HTMLElement);
    const target = links[here < 0 ? 0 : here + by];
    target?.focus();
    target?.scrollIntoView({ block: 'nearest' });
  };
  useStudioKeys({ j: () => step(1), k: () => step(-1) });
}
