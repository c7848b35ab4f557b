/** How one language asks this agent for something, and how it answers. */
export interface Language {
  /** Rooms by what they are called. */
  readonly rooms: Readonly<Record<string, Room>>;
  /** Matches a request to switch lights; `rooms` holds their names. */
  readonly on: RegExp;
  readonly off: RegExp;
  readonly temperature: RegExp;
  /** Between the names of several rooms. */
  readonly and: RegExp;
  readonly switched: (rooms: readonly string[], on: boolean) => string;
  readonly warmth: (room: string, celsius: number) => string;
}

export type Room = 'kitchen' | 'bedroom';

export const languages: readonly Language[] = [
  {
    rooms: { kitchen: 'kitchen', bedroom: 'bedroom' },
    on: /^turn on the light in the (?<rooms>.+)\.$/i,
    off: /^turn off the light in the (?<rooms>.+)\.$/i,
    temperature: /^how warm is the (?<rooms>\w+)\?$/i,
    and: / and the | and /,
    switched: (rooms, on) => `The light in the ${rooms.join(' and the ')} is ${on ? 'on' : 'off'} now.`,
    warmth: (room, celsius) => `It is ${celsius} degrees in the ${room}.`,
  },
  {
    // Traditional Chinese
    rooms: { 廚房: 'kitchen', 臥室: 'bedroom' },
    on: /^請打開(?<rooms>.+)的燈。$/,
    off: /^請關掉(?<rooms>.+)的燈。$/,
    temperature: /^(?<rooms>.+)現在幾度？$/,
    and: /和/,
    switched: (rooms, on) => `${rooms.join('和')}的燈已經${on ? '打開' : '關掉'}了。`,
    warmth: (room, celsius) => `${room}現在 ${celsius} 度。`,
  },
  {
    // Simplified Chinese
    rooms: { 厨房: 'kitchen', 卧室: 'bedroom' },
    on: /^请打开(?<rooms>.+)的灯。$/,
    off: /^请关掉(?<rooms>.+)的灯。$/,
    temperature: /^(?<rooms>.+)现在几度？$/,
    and: /和/,
    switched: (rooms, on) => `${rooms.join('和')}的灯已经${on ? '打开' : '关掉'}了。`,
    warmth: (room, celsius) => `${room}现在 ${celsius} 度。`,
  },
  {
    // Japanese
    rooms: { 台所: 'kitchen', 寝室: 'bedroom' },
    on: /^(?<rooms>.+)の電気をつけてください。$/,
    off: /^(?<rooms>.+)の電気を消してください。$/,
    temperature: /^(?<rooms>.+)は今何度ですか？$/,
    and: /と/,
    switched: (rooms, on) => `${rooms.join('と')}の電気を${on ? 'つけました' : '消しました'}。`,
    warmth: (room, celsius) => `${room}は今${celsius}度です。`,
  },
  {
    // Korean
    rooms: { 부엌: 'kitchen', 침실: 'bedroom' },
    on: /^(?<rooms>.+) 불을 켜 주세요\.$/,
    off: /^(?<rooms>.+) 불을 꺼 주세요\.$/,
    temperature: /^(?<rooms>.+)은 지금 몇 도예요\?$/,
    and: /, /,
    switched: (rooms, on) => `${rooms.join(', ')} 불을 ${on ? '켰습니다' : '껐습니다'}.`,
    warmth: (room, celsius) => `${room}은 지금 ${celsius}도입니다.`,
  },
];
