// Short sounds for moves: off until switched on.

/** Frequencies in hertz of each kind of move. */
const TONES = { tiles: [392, 294], bridge: [330, 494], pass: [262], swap: [349, 262], end: [392, 494, 587] };
const LENGTH = 0.14;

export function createSound(store) {
  let context = null;

  /** Plays the sound of a kind of move. */
  return (kind) => {
    if (!store.state.sound) return;
    context ??= new AudioContext();
    for (const [n, pitch] of (TONES[kind] ?? []).entries()) {
      const start = context.currentTime + n * LENGTH * 0.8;
      const [tone, volume] = [context.createOscillator(), context.createGain()];
      tone.type = "triangle";
      tone.frequency.value = pitch;
      volume.gain.setValueAtTime(0.25, start);
      volume.gain.exponentialRampToValueAtTime(0.001, start + LENGTH);
      tone.connect(volume).connect(context.destination);
      tone.start(start);
      tone.stop(start + LENGTH);
    }
    document.documentElement.dataset.sounded = kind;
  };
}
