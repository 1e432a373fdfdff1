import { useEffect, useRef, useState } from 'preact/hooks';
import { readCode } from './codes.ts';

interface CameraProps {
  /** What the picture of the camera is called. */
  label: string;
  /** What is said while it looks. */
  text: string;
  /** What is said where no camera can be used. */
  none: string;
  /** Called with each code; true when it is what was looked for. */
  onText(text: string): boolean;
}

/** Between two looks at the picture. */
const PAUSE_MS = 150;

/** The camera of the device, which looks for a code until it is taken away. */
export const Camera = ({ label, text, none, onText }: CameraProps) => {
  const video = useRef<HTMLVideoElement>(null);
  const [hasCamera, setCamera] = useState(true);
  useEffect(() => {
    const closing = new AbortController();
    if (video.current) void look(video.current, { onText, signal: closing.signal }).then(setCamera);
    return () => closing.abort();
  }, []);
  return hasCamera ? (
    <>
      <p role="status">{text}</p>
      <video class="camera" ref={video} muted playsInline aria-label={label} />
    </>
  ) : (
    <p role="status">{none}</p>
  );
};

/** Looks until a code is taken or `signal` ends it; false where there is no camera to use. */
async function look(
  video: HTMLVideoElement,
  { onText, signal }: Pick<CameraProps, 'onText'> & { signal: AbortSignal },
): Promise<boolean> {
  const stream = await openCamera();
  if (!stream) return false;
  try {
    video.srcObject = stream;
    await video.play();
    while (!signal.aborted) {
      const text = await readCode(video);
      if (text !== undefined && !signal.aborted && onText(text)) return true;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  } finally {
    for (const track of stream.getTracks()) track.stop();
  }
  return true;
}

/** The camera at the back of a phone, else the only one; none on pages without https, or without permission. */
async function openCamera(): Promise<MediaStream | undefined> {
  try {
    return await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
  } catch {
    return undefined;
  }
}
