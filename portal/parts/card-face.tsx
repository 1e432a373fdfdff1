import { readableOn } from './colours.ts';

interface CardFaceProps {
  name: string;
  issuer: string;
  /** Data URLs. */
  logo?: string;
  background?: string;
  ground?: string;
  text?: string;
}

/** What a wallet shows of a credential: in words too, wherever it stands. */
export const CardFace = ({ name, issuer, logo, background, ...colours }: CardFaceProps) => {
  const { ground, text } = readableOn(colours.ground, colours.text);
  return (
    <div class="card" style={{ '--card-ground': ground, '--card-text': text }}>
      {background === undefined ? null : <img class="card-background" src={background} alt="" />}
      {logo === undefined ? <span /> : <img src={logo} alt="" />}
      <strong>{name}</strong>
      <span>{issuer}</span>
    </div>
  );
};
