import type { Schemas } from '../../client/client.ts';
import { Notice } from '../parts/notice.tsx';
import { texts } from '../texts/texts.ts';
import { api, ask } from './api.ts';
import { AskFirst } from './ask-first.tsx';
import { Loaded, useLoad } from './load.tsx';
import { officePage, pageOfType, work } from './office.tsx';

/** Something in the tree; each kind says more of itself. */
export type Element = Schemas['AnyElement'] & { type?: string; name?: unknown; dependencies?: unknown };

/** The last part of a target, which is the name at the place. */
export const lastName = (target: string): string => target.slice(target.lastIndexOf('.') + 1);

/** What a resource is called: by its name for people, if it has one. */
const nameOfElement = ({ _id, name }: Element): string => (typeof name === 'string' ? name : lastName(_id));

/** The targets that a service works with. */
export const dependenciesOf = ({ dependencies }: Element): string[] =>
  Array.isArray(dependencies) ? dependencies.filter((one) => typeof one === 'string') : [];

/** What is directly below a target. */
export const readBelow = async (target: string, query: { limit?: string; offset?: string } = {}) => {
  const params = { path: { target }, query };
  const read = await work(ask(api.GET('/v1/{target}/resource-api/resources/list', { params })));
  return read.ok ? { ok: true as const, data: read.data as Element[] } : read;
};

interface RemoveProps {
  element: Pick<Element, '_id' | 'type' | 'name'>;
  done(): void;
}

/** Removes a unit, a service or an organization after a question; one that is held says by what. */
export const Remove = ({ element, done }: RemoveProps) => {
  const t = texts().office.remove;
  const { _id: target, type = '' } = element;
  const name = nameOfElement(element as Element);
  return (
    <AskFirst
      text={t.remove(name)}
      title={t.ask(name)}
      warning={t.texts[type] ?? t.text}
      call={() => ask(api.DELETE('/v1/{target}/resource-api/resources', { params: { path: { target } } }))}
      done={done}
      said={(failure) =>
        failure.kind === 'refused' && failure.status === 409 ? (
          <Held target={target} type={type} words={failure.problem?.message} />
        ) : undefined
      }
    />
  );
};

/** How many of the things that hold it are named. */
const NAMED = 5;

interface HeldProps {
  target: string;
  type: string;
  words: string | undefined;
}

/** What something still holds, else what works with it; each by name, with a link where it has a page. */
const Held = ({ target, type, words }: HeldProps) => {
  const t = texts().office.remove;
  const loading = useLoad(async () => {
    const below = await readBelow(target, { limit: String(NAMED + 1) });
    if (!below.ok || below.data.length > 0) return below;
    const beside = await readBelow(target.slice(0, target.lastIndexOf('.')));
    return beside.ok
      ? { ...beside, data: beside.data.filter((one) => dependenciesOf(one).includes(target)) }
      : { ok: true, data: [] };
  }, target);
  return (
    <Loaded of={loading}>
      {(holding) => {
        const isBelow = holding.some(({ parent }) => parent === target);
        return (
          <Notice kind="bad" title={t.held} role="alert">
            <p>{isBelow ? t.heldText : t.neededText}</p>
            {holding.length > 0 ? null : <p lang="en">{words}</p>}
            <ul translate={false}>
              {holding.slice(0, NAMED).map((one) => (
                <li key={one._id}>
                  <Named element={one} parentType={type} />
                </li>
              ))}
            </ul>
            {holding.length > NAMED ? <p>{t.heldMore}</p> : null}
          </Notice>
        );
      }}
    </Loaded>
  );
};

/** The page for what is in the tree: that of a unit, of the area for a service, or of the area for the service that it is in. */
function pageOfElement({ _id, parent, type = '' }: Element, parentType: string): string | undefined {
  if (type === 'tenant') return officePage(_id, 'contents');
  const own = pageOfType(type);
  if (own) return officePage(parent, own, { service: _id });
  const above = pageOfType(parentType);
  return above && officePage(parent.slice(0, parent.lastIndexOf('.')), above, { service: parent });
}

/** The name of what is in the tree, with a link where it has a page. */
export const Named = ({ element, parentType = '' }: { element: Element; parentType?: string }) => {
  const href = pageOfElement(element, parentType);
  const name = nameOfElement(element);
  return href === undefined ? <span>{name}</span> : <a href={href}>{name}</a>;
};
