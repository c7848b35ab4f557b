/**
 * A text as checks compare it: in Unicode's normal form C, so that `é` is equal whether it is one code point or two. With
 * `ignoreCase`, letters that differ in case only are equal, whatever the language: `ß` equals `SS`, and all forms of sigma are one.
 * The dotless `ı` of Turkish equals `i`, as it must where the language is not known.
 */
export function foldText(text: string, ignoreCase: boolean): string {
  const normal = text.normalize('NFC');
  // Down first, for letters such as the Kelvin sign that have no upper case of their own; then up, where no letter depends on others.
  return ignoreCase ? normal.toLowerCase().toUpperCase().normalize('NFC') : normal;
}
