import { useRef, useState } from 'preact/hooks'
import type { Notice } from './workspace.ts'

/** Notices that stay until they are dismissed. The same words do not stand twice. */
export function useNotices() {
  const [notices, setNotices] = useState<Notice[]>([])
  const lastId = useRef(0)
  return {
    notices,
    notify: (message: string): void => {
      const id = ++lastId.current
      setNotices((all) => [...all.filter((one) => one.message !== message), { id, message }])
    },
    dismiss: (id: number): void => {
      setNotices((all) => all.filter((one) => one.id !== id))
    },
  }
}
