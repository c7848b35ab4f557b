import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../test/cpu-time.ts';
import agent, { rootAgent } from './agent.ts';
import { ask, startSession } from './drive-conversations.ts';

it('is exported under both names that runners look for', () => {
  expect(agent).toBe(rootAgent);
});

describe('answers are made from what the tools return', () => {
  it('shows another start state', async () => {
    const asIs = await ask(startSession(), 'What is the temperature in the Kitchen?');
    expect(asIs.text).toBe('The temperature in the Kitchen is 24 degrees Celsius.');
    expect(asIs.toolResponses).toEqual([
      { name: 'get_temperature', response: { location: 'Kitchen', temperature: 24 } },
    ]);

    const seeded = await ask(
      startSession({ temperatures: { Kitchen: 19 } }),
      'What is the temperature in the Kitchen?',
    );
    expect(seeded.text).toBe('The temperature in the Kitchen is 19 degrees Celsius.');

    const devices = { lamp_1: { status: 'ON', location: 'Hall' }, lamp_2: { status: 'ON', location: 'Cellar' } };
    const listed = await ask(startSession({ devices }), 'Which devices are on?');
    expect(listed.text).toBe('The Hall device (lamp_1) and the Cellar device (lamp_2) are on.');
  });

  it('shows what was changed before, and keeps it in the session state', async () => {
    const session = startSession();
    await ask(session, 'Turn on device_2.');
    await ask(session, 'Set the Bedroom to 25 degrees.');

    expect((await ask(session, 'Which devices are on?')).text).toBe(
      'The Living Room device (device_1) and the Bedroom device (device_2) are on.',
    );
    expect((await ask(session, 'What is the temperature in the bedroom?')).text).toContain('25 degrees');
    expect(session.state).toMatchObject({
      devices: { device_2: { status: 'ON', location: 'Bedroom' } },
      temperatures: { 'Living Room': 22, Bedroom: 25, Kitchen: 24 },
    });
  });

  it('starts afresh in a fresh session', async () => {
    const one = startSession();
    const other = startSession();
    await ask(one, 'Turn off device_1.');
    await ask(one, 'Set the Kitchen to 18 degrees.');

    expect((await ask(other, 'Which devices are on?')).text).toBe('The Living Room device (device_1) is on.');
    expect((await ask(other, 'What is the temperature in the Kitchen?')).text).toContain('24 degrees');
    expect((await ask(startSession(), 'Turn it off.')).text).toBe('Which device do you mean?');
  });

  it('leaves the seeded objects of the case alone', async () => {
    const devices = { lamp_1: { status: 'ON', location: 'Hall' } };
    await ask(startSession({ devices }), 'Turn off lamp_1.');
    expect(devices).toEqual({ lamp_1: { status: 'ON', location: 'Hall' } });
  });

  it.each([
    [{ devices: ['lamp_1'] }, /devices of the session state/],
    [{ devices: { lamp_1: { status: 'DIM', location: 'Hall' } } }, /devices\.lamp_1 of the session state/],
    [{ temperatures: { Hall: 'warm' } }, /temperatures\.Hall of the session state/],
  ])('refuses a seeded state that is no home: %j', async (state, message) => {
    await expect(ask(startSession(state), 'List my devices.')).rejects.toThrow(message);
  });
});

describe('calls', () => {
  it.each([
    ['Which devices are on?', [{ name: 'list_devices', args: { status: 'ON' } }]],
    ['What devices are in the Bedroom?', [{ name: 'list_devices', args: { location: 'Bedroom' } }]],
    ['Which devices are off in the kitchen?', [{ name: 'list_devices', args: { status: 'OFF', location: 'Kitchen' } }]],
    ['I need to check on my devices.', [{ name: 'list_devices', args: {} }]],
    ['What is the status of device 2?', [{ name: 'get_device_info', args: { device_id: 'device_2' } }]],
    ['How warm is the living room right now?', [{ name: 'get_temperature', args: { location: 'Living Room' } }]],
    ['Set the temperature in my bedroom to 19.5°C', [setTemperature('Bedroom', 19.5)]],
    ['Hi, could you change the Kitchen temperature to 21 please?', [setTemperature('Kitchen', 21)]],
    ['Turn device_2 and device_3 on', [switched('device_2', 'ON'), switched('device_3', 'ON')]],
    [
      'turn the kitchen device on',
      [{ name: 'list_devices', args: { location: 'Kitchen' } }, switched('device_3', 'ON')],
    ],
    ['Turn off everything.', [{ name: 'list_devices', args: { status: 'ON' } }, switched('device_1', 'OFF')]],
  ])('%s', async (message, calls) => {
    expect((await ask(startSession(), message)).toolCalls).toEqual(calls);
  });
});

describe('refusals', () => {
  it.each([
    ['Set the Bedroom to 35 degrees.', 'I could not do that: 35 is outside the range of 18 to 30 degrees Celsius.'],
    ['Set the Bedroom to 17.9 degrees.', 'I could not do that: 17.9 is outside the range of 18 to 30 degrees Celsius.'],
    ['Set the Bedroom to -20 degrees.', 'I could not do that: -20 is outside the range of 18 to 30 degrees Celsius.'],
    ['Set the Attic to 20 degrees.', 'I could not do that: there is no room called Attic.'],
    ['What is the temperature in the attic?', 'I could not do that: there is no room called Attic.'],
    ['Make the attic warmer.', 'I could not do that: there is no room called Attic.'],
    ['Turn off device_9.', 'I could not do that: there is no device called device_9.'],
    ['Is device_9 on?', 'I could not do that: there is no device called device_9.'],
    ['Turn off the attic device.', 'I found no device in the Attic.'],
    ['Turn off all devices in the Kitchen.', 'No device in the Kitchen is on.'],
  ])('%s', async (message, text) => {
    const session = startSession();
    const untouched = startSession();
    await ask(untouched, 'List my devices.');
    expect((await ask(session, message)).text).toBe(text);
    expect(session.state['devices']).toEqual(untouched.state['devices']);
    expect(session.state['temperatures']).toEqual(untouched.state['temperatures']);
  });

  it.each([18, 30])('allows the limit of %d degrees itself', async (degrees) => {
    const session = startSession();
    await ask(session, `Set the Bedroom to ${degrees} degrees.`);
    expect(session.state['temperatures']).toMatchObject({ Bedroom: degrees });
  });

  it('does what it can of a list, and says what it could not', async () => {
    const { text } = await ask(startSession(), 'Turn off device_1 and device_9.');
    expect(text).toBe('device_1 is now turned off. I could not do that: there is no device called device_9.');
  });
});

describe('follow-ups', () => {
  it('knows which device was last talked about', async () => {
    const session = startSession();
    await ask(session, 'Which devices are on?');
    const { text, toolCalls } = await ask(session, 'Turn that one off.');
    expect(text).toBe('I have turned off the Living Room device (device_1).');
    expect(toolCalls).toEqual([switched('device_1', 'OFF')]);
    expect((await ask(session, 'Is it on?')).text).toBe('The Living Room device (device_1) is off.');
  });

  it('asks when "that one" may be several, calls nothing, and takes the answer', async () => {
    const session = startSession();
    await ask(session, 'Which devices are off?');
    const question = await ask(session, 'Turn that one on.');
    expect(question.text).toBe('Which one do you mean: device_2 or device_3?');
    expect(question.toolCalls).toEqual([]);
    expect((await ask(session, 'device_3')).toolCalls).toEqual([switched('device_3', 'ON')]);
    expect((await ask(session, 'device_2')).text).toMatch(/^I did not understand/);
  });

  it('asks which device of a room, and takes the answer "both"', async () => {
    const session = startSession({
      devices: { lamp_1: { status: 'OFF', location: 'Hall' }, lamp_2: { status: 'OFF', location: 'Hall' } },
    });
    expect((await ask(session, 'Turn on the hall device.')).text).toBe('Which one do you mean: lamp_1 or lamp_2?');
    expect((await ask(session, 'Both.')).toolCalls).toEqual([switched('lamp_1', 'ON'), switched('lamp_2', 'ON')]);
  });

  it('does not take "both" for three', async () => {
    const session = startSession();
    await ask(session, 'List my devices.');
    expect((await ask(session, 'Turn both on.')).text).toBe('Which one do you mean: device_1, device_2 or device_3?');
  });

  it('switches all of them when told "them"', async () => {
    const session = startSession();
    await ask(session, 'Which devices are off?');
    expect((await ask(session, 'Turn them on.')).toolCalls).toEqual([
      switched('device_2', 'ON'),
      switched('device_3', 'ON'),
    ]);
  });

  it('asks for the room, then for the temperature', async () => {
    const session = startSession();
    expect((await ask(session, 'Set the temperature to 21.')).text).toBe('Which room do you mean?');
    expect((await ask(session, 'The bedroom.')).toolCalls).toEqual([setTemperature('Bedroom', 21)]);

    expect((await ask(session, 'Make the kitchen cooler.')).text).toContain('24 degrees Celsius. Which temperature');
    expect((await ask(session, '20 degrees')).toolCalls).toEqual([setTemperature('Kitchen', 20)]);
    expect((await ask(session, 'How warm is it there now?')).text).toBe(
      'The temperature in the Kitchen is 20 degrees Celsius.',
    );
  });

  it('drops its question when something else is asked', async () => {
    const session = startSession();
    expect((await ask(session, 'Turn it off.')).text).toBe('Which device do you mean?');
    await ask(session, 'What is the temperature in the Kitchen?');
    expect((await ask(session, 'device_1')).text).toMatch(/^I did not understand/);
  });
});

describe('what it does not understand', () => {
  it.each([
    'It is rather chilly in here.',
    "Don't turn off device_1.",
    'Do not turn off device_1.',
    'Turn off device_1 tomorrow.',
    'Turn off the lights.',
    'Turn off device_1 unless it is night.',
    'Turn on device_2 and set the Bedroom to 21 degrees.',
    'Set the Bedroom to 21-25 degrees.',
    'Set the Bedroom to warm.',
    'device_1',
    '',
    '?!',
    'Выключи device_1.',
    'キッチンの温度は?',
    'אילו מכשירים פועלים?',
    '🏠🔥'.repeat(20),
    '{"__proto__": {"status": "ON"}}',
  ])('%s', async (message) => {
    const session = startSession();
    const { text, toolCalls } = await ask(session, message);
    expect(text).toMatch(/^I did not understand that\. I can turn devices on or off, /);
    expect(toolCalls).toEqual([]);
  });

  it.each([
    ['one long word', 'a'.repeat(1_000_000)],
    ['many words', 'turn off '.repeat(100_000)],
    ['many politenesses', 'please '.repeat(100_000)],
    ['many room names', `what is the temperature in ${'the big '.repeat(30)}`],
    ['many ids', `turn off ${'a_1 and '.repeat(35)}`],
  ])('answers %s at once', async (_, message) => {
    const taken = cpuTime();
    expect((await ask(startSession(), message)).text).toMatch(/^I did not understand/);
    expect(taken()).toBeLessThan(5_000);
  });

  it('is not fooled by names that objects have already', async () => {
    const session = startSession();
    for (const id of ['__proto__', 'has_own', 'to_string']) {
      expect((await ask(session, `Turn on ${id}.`)).text).toBe(`I could not do that: there is no device called ${id}.`);
    }
    expect((await ask(session, 'What is the temperature in constructor?')).text).toContain(
      'no room called Constructor',
    );
    expect(Object.keys(session.state['devices'] ?? {})).toEqual(['device_1', 'device_2', 'device_3']);
  });

  it('answers any conversation of any words', async () => {
    const known = (
      'turn switch set make list is what which the on off it them both device_1 device_9 devices device one in to ' +
      'living room bedroom temperature degrees 21 -5 please of status and Ö 部屋 __proto__'
    ).split(' ');
    const sentence = fc.array(fc.constantFrom(...known), { maxLength: 12 }).map((words) => words.join(' '));
    // fast-check's own `binary` makes a map of all code points, which takes a second.
    const character = fc
      .integer({ min: 0, max: 0x10ffff })
      .map(
        (code) => String.fromCodePoint(code),
        (text) => String(text).codePointAt(0) ?? 0,
      )
      .filter((text) => !/\p{Surrogate}/u.test(text));
    const message = fc.oneof(sentence, fc.string({ unit: character }));
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 5 }), async (messages) => {
        const session = startSession();
        for (const message of messages) {
          const { text, toolCalls, toolResponses } = await ask(session, message);
          expect(text).not.toBe('');
          expect(toolResponses.map((response) => response.name)).toEqual(toolCalls.map((call) => call.name));
        }
        expect(JSON.parse(JSON.stringify(session.state))).toEqual(session.state);
      }),
    );
  });
});

function switched(device_id: string, status: string) {
  return { name: 'set_device_info', args: { device_id, status } };
}

function setTemperature(location: string, temperature: number) {
  return { name: 'set_temperature', args: { location, temperature } };
}
