import { useLayoutEffect, useRef } from 'preact/hooks';

/** Listens for single keys pressed outside of text fields and without modifiers. */
export function useKeys(on: boolean, keys: Readonly<Record<string, () => void>>): void {
  const current = useRef(keys);
  current.current = keys;
  useLayoutEffect(() => {
    if (!on) return;
    const press = (event: KeyboardEvent) => {
      const { key } = event;
      // Looks inside shadow trees as well.
      const [target] = event.composedPath();
      if (target instanceof HTMLElement && target.isContentEditable) return;
      const inField = target instanceof Element && target.matches('input, select, textarea');
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
      if (inField && key !== 'Escape') return;
      if (inField) return (target as HTMLElement).blur();
      const action = Object.hasOwn(current.current, key) ? current.current[key] : undefined;
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [on]);
}
