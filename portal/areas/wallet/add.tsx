import { useState } from 'preact/hooks';
import { Camera } from '../../parts/camera.tsx';
import { readCode } from '../../parts/codes.ts';
import { Field, FileField } from '../../parts/field.tsx';
import { go } from '../../shell/place.ts';
import { texts } from '../../texts/texts.ts';
import { WalletFrame } from './frame.tsx';
import { pageOfLink } from './links.ts';

/** Opens what a link stands for; false for another text. */
function follow(text: string): boolean {
  const page = pageOfLink(text);
  if (page !== undefined) go(page);
  return page !== undefined;
}

/** Takes an offer or a request: as a link, as a picture of its code, or before the camera. */
export const AddPage = () => {
  const t = texts().wallet;
  const [isOpen, setOpen] = useState(false);
  return (
    <WalletFrame title={t.add}>
      <Pasting />
      <Picture />
      <h2>{t.camera}</h2>
      <button type="button" onClick={() => setOpen(!isOpen)}>
        {isOpen ? t.closeCamera : t.openCamera}
      </button>
      {isOpen ? <Camera label={t.preview} text={t.scanning} none={t.noCamera} onText={follow} /> : null}
    </WalletFrame>
  );
};

const Pasting = () => {
  const t = texts().wallet;
  const [link, setLink] = useState('');
  const [isWrong, setWrong] = useState(false);
  const send = (event: SubmitEvent & { currentTarget: HTMLFormElement }): void => {
    event.preventDefault();
    const isFollowed = follow(link);
    setWrong(!isFollowed);
    if (!isFollowed) event.currentTarget.querySelector('input')?.focus();
  };
  return (
    <form onSubmit={send} noValidate>
      <Field
        id="link"
        label={t.link}
        hint={t.linkHint}
        value={link}
        onValue={setLink}
        wrong={isWrong ? t.noLink : undefined}
      />
      <button type="submit" class="first">
        {t.go}
      </button>
    </form>
  );
};

const Picture = () => {
  const t = texts().wallet;
  const [isWrong, setWrong] = useState(false);
  const read = async (file: File | undefined): Promise<void> => {
    setWrong(false);
    if (!file) return;
    const picture = await createImageBitmap(file).catch(() => undefined);
    const text = picture && (await readCode(picture));
    setWrong(text === undefined || !follow(text));
  };
  return (
    <FileField
      id="picture"
      label={t.picture}
      hint={t.pictureHint}
      accept="image/*"
      wrong={isWrong ? t.noCode : undefined}
      onFile={(file) => void read(file)}
    />
  );
};
