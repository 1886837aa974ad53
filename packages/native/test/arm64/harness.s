// A program without libraries that runs kernels as a list says: words of 64 bits, four for each step.
//   1, from, to, bytes: copies          3, code, argument, where its result goes: calls
//   4, from, bytes: writes to the output    0: ends
// A call begins with junk in registers that kernels may use, and ends with 256 added to its result where a register
// that belongs to the caller was not given back.
        .set    LIST, 0x20000000
        .set    STATE, 0x10000000

        .global _start
_start: ldr     x20, =LIST
step:   ldp     x0, x1, [x20], #16
        ldp     x2, x3, [x20], #16
        cbz     x0, done
        cmp     x0, #1
        b.eq    copy
        cmp     x0, #3
        b.eq    call

write:  cbz     x2, step
        mov     x21, x1
        mov     x22, x2
1:      mov     x0, #1
        mov     x1, x21
        mov     x2, x22
        mov     x8, #64
        svc     #0
        cmp     x0, #0
        b.le    done
        add     x21, x21, x0
        subs    x22, x22, x0
        b.ne    1b
        b       step

copy:   cbz     x3, step
1:      ldrb    w4, [x1], #1
        strb    w4, [x2], #1
        subs    x3, x3, #1
        b.ne    1b
        b       step

done:   mov     x0, #0
        mov     x8, #93
        svc     #0

call:   ldr     x4, =STATE
        mov     x5, sp
        stp     x20, x3, [x4]
        stp     x5, x1, [x4, #16]
        mov     w0, w2
        movk    x0, #0xdead, lsl #48
        .irp    n, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,17
        mov     x\n, #-\n
        .endr
        .irp    n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
        dup     v\n\().2d, x1
        .endr
        .irp    n, 8,9,10,11,12,13,14,15
        mov     x16, #1000 + \n
        fmov    d\n, x16
        .endr
        .irp    n, 19,20,21,22,23,24,25,26,27,28,29
        mov     x\n, #2000 + \n
        .endr
        ldr     x16, =STATE
        ldr     x16, [x16, #24]
        blr     x16
        mov     w1, #0
        .irp    n, 19,20,21,22,23,24,25,26,27,28,29
        cmp     x\n, #2000 + \n
        csinc   w1, w1, wzr, eq
        .endr
        .irp    n, 8,9,10,11,12,13,14,15
        fmov    x16, d\n
        cmp     x16, #1000 + \n
        csinc   w1, w1, wzr, eq
        .endr
        ldr     x4, =STATE
        ldp     x20, x3, [x4]
        ldr     x5, [x4, #16]
        mov     x6, sp
        cmp     x5, x6
        csinc   w1, w1, wzr, eq
        mov     sp, x5
        add     w0, w0, w1, lsl #8
        str     x0, [x3]
        b       step
