import type { ComponentChildren } from 'preact';
import { isPicture } from './claims.ts';
import { readableOn } from './colours.ts';

interface CardFaceProps {
  name: string;
  issuer: string;
  /** Data URLs; other ones are not shown. */
  logo?: string;
  background?: string;
  ground?: string;
  text?: string;
  /** The page that the card leads to. */
  href?: string;
  /** What is said of its state, at its top. */
  children?: ComponentChildren;
}

/** What a wallet shows of a credential: in words too, wherever it stands. */
export const CardFace = ({ name, issuer, logo, background, href, children, ...colours }: CardFaceProps) => {
  const { ground, text } = readableOn(colours.ground, colours.text);
  const Whole = href === undefined ? 'div' : 'a';
  return (
    <Whole class="card" href={href} style={{ '--card-ground': ground, '--card-text': text }}>
      {isPicture(background) ? <img class="card-background" src={background} alt="" /> : null}
      <span class="card-top">
        {isPicture(logo) ? <img src={logo} alt="" /> : <span />}
        {children}
      </span>
      <strong translate={false}>{name}</strong>
      <span translate={false}>{issuer}</span>
    </Whole>
  );
};
