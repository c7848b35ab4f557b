export const VERTICAL: Steps = { ArrowDown: 1, ArrowUp: -1 };
export const HORIZONTAL: Steps = { ArrowRight: 1, ArrowLeft: -1 };

/** The direction for each key. */
type Steps = Readonly<Record<string, 1 | -1>>;

/** Moves the focus among the matching elements of a list when a key is pressed, if one of them has the focus. */
export function moveFocus(
  event: KeyboardEvent & { readonly currentTarget: HTMLElement },
  selector: string,
  steps: Steps,
): void {
  const step = steps[event.key];
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)];
  const here = stops.indexOf(event.target as HTMLElement);
  const next = stops[here + step];
  if (here === -1 || next === undefined) return;
  event.preventDefault();
  next.focus();
  next.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}
