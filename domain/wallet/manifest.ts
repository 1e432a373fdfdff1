import type { CredentialDisplay, EmbeddedImage } from '../holdings/records.ts';

/** The display data of a credential in the form that existing front ends read, in the first language of the issuer. */
export interface Manifest {
  display: {
    title?: string;
    card: {
      title?: string;
      issuedBy?: string;
      description?: string;
      backgroundColor?: string;
      textColor?: string;
      logo?: { uri: string; description?: string };
    };
    /** By path, such as `vc.credentialSubject.degree.name`; `*` stands for every element of a list. */
    claims: Record<string, { type: 'String'; label: string }>;
  };
  issuer: { id: string; name?: string; logo?: { uri: string; description?: string } };
}

/** Creates the manifest of a credential; `issuer` is the id of its issuer. */
export function createManifest(display: CredentialDisplay, issuer: string): Manifest {
  const [entry = {}] = display.credential;
  const [by = {}] = display.issuer;
  const title = entry.name === undefined ? {} : { title: entry.name };
  const claims = display.claims.map(({ path, labels }) => {
    const name = ['vc', ...path.map((part) => part ?? '*')].join('.');
    return [name, { type: 'String' as const, label: labels[0]?.name ?? name }] as const;
  });
  return {
    display: {
      ...title,
      card: {
        ...title,
        ...(by.name !== undefined && { issuedBy: by.name }),
        ...pick(entry, 'description', 'backgroundColor', 'textColor'),
        ...logoOf(entry.logo ?? by.logo),
      },
      claims: Object.fromEntries(claims),
    },
    issuer: { id: issuer, ...pick(by, 'name'), ...logoOf(by.logo) },
  };
}

const logoOf = (logo: EmbeddedImage | undefined): Pick<Manifest['issuer'], 'logo'> =>
  logo ? { logo: { uri: logo.uri, ...(logo.altText !== undefined && { description: logo.altText }) } } : {};

const pick = <T extends object, K extends keyof T>(value: T, ...names: K[]): Pick<T, K> =>
  Object.fromEntries(names.filter((name) => value[name] !== undefined).map((name) => [name, value[name]])) as Pick<
    T,
    K
  >;
