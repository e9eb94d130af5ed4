import { h, type ComponentChildren } from 'preact'
import { icon } from './icons.ts'
import { Menu } from './menu.ts'
import { useWorkspace } from './workspace.ts'

/** The app's global shortcuts. @param conversation the id of the one that is open */
export function ShortcutsMenu({ conversation }: { conversation: string }): ComponentChildren {
  const { state, perform } = useWorkspace()
  const { name, globalShortcuts } = state.app
  if (globalShortcuts.length === 0) return undefined
  return h(Menu, {
    label: 'Shortcuts',
    className: 'icon-button',
    face: icon('bolt'),
    heading: name,
    items: globalShortcuts.map((shortcut) => ({
      label: shortcut.name,
      hint: shortcut.description,
      choose: () =>
        perform({ type: 'global_shortcut', callbackId: shortcut.callbackId, conversation }),
    })),
  })
}
