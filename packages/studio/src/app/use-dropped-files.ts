import { useEffect, useState } from 'preact/hooks';

/**
 * Takes the files that are dropped anywhere on the page, which a browser would otherwise open in its place.
 * @returns Whether files are being dragged over the page.
 */
export function useDroppedFiles(take: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    // Entering an element comes before leaving the one around it.
    let depth = 0;
    const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;
    const on: readonly [string, (event: DragEvent) => void][] = [
      [
        'dragenter',
        (event) => {
          if (!hasFiles(event)) return;
          depth += 1;
          setOver(true);
        },
      ],
      [
        'dragleave',
        (event) => {
          if (!hasFiles(event)) return;
          depth -= 1;
          if (depth <= 0) setOver(false);
        },
      ],
      [
        'dragover',
        (event) => {
          if (hasFiles(event)) event.preventDefault();
        },
      ],
      [
        'drop',
        (event) => {
          if (!hasFiles(event)) return;
          event.preventDefault();
          depth = 0;
          setOver(false);
          // A dialog covers what they would be given to.
          if (document.querySelector('dialog[open]') === null) take([...(event.dataTransfer?.files ?? [])]);
        },
      ],
    ];
    for (const [name, listen] of on) addEventListener(name, listen as EventListener);
    return () => {
      for (const [name, listen] of on) removeEventListener(name, listen as EventListener);
    };
  }, [take]);
  return isOver;
}
